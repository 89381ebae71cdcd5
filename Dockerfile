# The server and the bots in one image: `bigben serve` (the default), `bigben-discord` and `bigben-matrix`.

FROM python:3.11.15-slim-trixie AS build
WORKDIR /src
COPY . .
# Nothing is installed that has another hash than the one that was released.
RUN python -m venv /app \
    && pip install --no-cache-dir --require-hashes -r requirements-build.txt \
    && pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /app/bin/pip install --no-cache-dir --require-hashes -r requirements.txt \
    && /app/bin/pip install --no-deps /wheels/*.whl

FROM python:3.11.15-slim-trixie
RUN useradd --uid 10001 --create-home bigben \
    && install -d -o bigben -m 0700 /data
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH PYTHONUNBUFFERED=1
USER bigben
WORKDIR /home/bigben
# The data of the server's own Redis, which it starts if BIGBEN_REDIS_URL is not set.
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/health', timeout=3)"]
CMD ["bigben", "serve", "--host", "0.0.0.0", "--port", "8765", "--data", "/data"]
