"""``make bench``: runs the quick benchmarks. The others are separate commands:

python -m benchmarks.chaos --kills 100      kill -9 in the middle of play
python -m benchmarks.boards                 boards with a million results
python -m benchmarks.floods                 what players notice of floods
"""

import argparse
import subprocess
import sys


def main() -> int:
    """Run the quick benchmarks. Return the first exit code that is not 0."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.parse_args()
    for name in ("rules", "server"):
        print(f"python -m benchmarks.{name}", flush=True)
        code = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
        if code:
            return code
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
