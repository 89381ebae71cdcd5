// The player's groups of friends: made, joined by a code or a link, left. Draws nothing.

import { placeOf } from "../address.js";
import { publicAddress } from "../page/public.js";
import { RefusedError } from "../wire/session.js";

export class Groups {
  /** null before the server has told. @type {{group: string, name?: string, code?: string}[]|null} */
  all = null;

  /** @param {Given<"announce" | "choosing" | "form" | "go" | "joining" | "redraw" | "say" | "session">} given */
  constructor(given) {
    this.given = given;
  }

  async load() {
    const { session } = this.given;
    this.all = null;
    if (session.me) await this.#ask({ type: "get-groups" });
    this.given.redraw();
  }

  /** Make the group whose name is typed. */
  async make() {
    const { given } = this;
    const name = (given.form.typed.group ?? "").trim();
    if (!name) throw new RefusedError({ code: "name", text: given.say("wrong.group_name") });
    await given.joining.welcome();
    const before = new Set(this.all?.map(({ group }) => group));
    await this.#ask({ type: "create-group", name });
    given.form.typed.group = "";
    given.announce(given.say("groups.made", { name }));
    return this.all?.find(({ group }) => !before.has(group));
  }

  /** Join the group of a code, or of a pasted link, and see its board. @param {string} typed */
  async join(typed) {
    const { given } = this;
    const [, hash = ""] = typed.split("#");
    const code = placeOf(hash).code ?? typed.trim();
    if (!code) throw new RefusedError({ code: "unknown", text: given.say("wrong.group_code") });
    await given.joining.welcome();
    await this.#ask({ type: "join-group", code });
    const plain = (text = "") => text.replace(/[^a-z0-9]/gi, "").toUpperCase();
    const joined = this.all?.find((one) => plain(one.code) === plain(code));
    given.form.typed.group_code = "";
    given.go({ screen: "boards", period: "daily", ...given.choosing.both, group: joined?.group ?? "" });
  }

  /** @param {Protocol.Group} of */
  async leave({ group }) {
    await this.#ask({ type: "leave-group", group });
    this.given.form.sure = "";
  }

  /** What invites to it. @param {Protocol.Group} of */
  link({ code }) {
    return `${publicAddress()}/#group=${code}`;
  }

  /** @param {Protocol.CreateGroup | Protocol.JoinGroup | Protocol.LeaveGroup | Protocol.GetGroups} message */
  async #ask(message) {
    const { groups = [] } = await this.given.session.ask(message);
    this.all = groups;
    this.given.redraw();
  }
}
