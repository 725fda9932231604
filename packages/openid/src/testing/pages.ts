import type { IncomingMessage, ServerResponse } from "node:http";
import type { InteractionResults, Provider } from "oidc-provider";

const PAGE_PATH = "/interaction/";

/** Where the provider sends the browser to ask the person something. */
export function pageOf(uid: string): string {
  return PAGE_PATH + uid;
}

export function isPage(request: IncomingMessage): boolean {
  return request.url?.startsWith(PAGE_PATH) === true;
}

/** Asks who is there, where any password is right, and then whether the installation may be told. */
export async function answerPage(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, session, params } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(prompt.name === "login" ? LOGIN_PAGE : CONSENT_PAGE);
    return;
  }
  const form = await formOf(request);
  const finish = (result: InteractionResults) =>
    provider.interactionFinished(request, response, result);
  if (form.get("agrees") === "no") return finish({ error: "access_denied" });
  if (prompt.name === "login") return finish({ login: { accountId: form.get("login") ?? "" } });
  const grant = new provider.Grant({
    accountId: session?.accountId ?? "",
    clientId: String(params["client_id"]),
  });
  grant.addOIDCScope("openid email");
  return finish({ consent: { grantId: await grant.save() } });
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return new URLSearchParams(text);
}

const page = (title: string, content: string) => `<!doctype html>
<html lang="en"><title>${title}</title><h1>${title}</h1><form method="post">${content}</form></html>`;

const LOGIN_PAGE = page(
  "Example ID",
  `<label>Login <input name="login" required></label>
<label>Password <input name="password" type="password"></label>
<button>Continue</button>`,
);
const CONSENT_PAGE = page(
  "Tell Content Feed who you are?",
  `<button name="agrees" value="yes">Agree</button> <button name="agrees" value="no">Refuse</button>`,
);
