// The player's groups of friends: made, joined by a code or a link, left. Draws nothing.

import { placeOf } from "../address.js";
import { RefusedError } from "../wire/session.js";

export class Groups {
  /** null before the server has told. @type {{group: string, name?: string, code?: string}[]|null} */
  all = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  async look() {
    const { session } = this.page;
    this.all = null;
    if (session.me) await this.#ask({ type: "get-groups" });
    this.page.redraw();
  }

  /** Make the group whose name is typed. */
  async make() {
    const { page } = this;
    const name = (page.typed.group ?? "").trim();
    if (!name) throw new RefusedError({ code: "name", text: page.say("wrong.group_name") });
    await page.joining.welcome();
    const before = new Set(this.all?.map(({ group }) => group));
    await this.#ask({ type: "create-group", name });
    page.typed.group = "";
    page.announce(page.say("groups.made", { name }));
    return this.all?.find(({ group }) => !before.has(group));
  }

  /** Join the group of a code, or of a pasted link, and see its board. @param {string} typed */
  async join(typed) {
    const { page } = this;
    const [, hash = ""] = typed.split("#");
    const code = placeOf(hash).code ?? typed.trim();
    if (!code) throw new RefusedError({ code: "unknown", text: page.say("wrong.group_code") });
    await page.joining.welcome();
    await this.#ask({ type: "join-group", code });
    const plain = (text = "") => text.replace(/[^a-z0-9]/gi, "").toUpperCase();
    const joined = this.all?.find((one) => plain(one.code) === plain(code));
    page.typed.group_code = "";
    page.go({ screen: "boards", period: "daily", ...page.choosing.both, group: joined?.group ?? "" });
  }

  /** @param {Protocol.Group} of */
  async leave({ group }) {
    await this.#ask({ type: "leave-group", group });
    this.page.sure = "";
  }

  /** What invites to it. @param {Protocol.Group} of */
  link({ code }) {
    return `${location.origin}/#group=${code}`;
  }

  /** @param {Protocol.CreateGroup | Protocol.JoinGroup | Protocol.LeaveGroup | Protocol.GetGroups} message */
  async #ask(message) {
    const { groups = [] } = await this.page.session.ask(message);
    this.all = groups;
    this.page.redraw();
  }
}
