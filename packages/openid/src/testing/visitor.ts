interface Visit {
  readonly login: string;
  /** Whether the person agrees that the installation is told; yes by default. */
  readonly consents?: boolean;
}

/**
 * Goes through the pages of a test provider as a browser with no session does.
 *
 * @returns the address, elsewhere, that the provider sends the browser to in the end.
 */
export async function visitProvider(
  begin: string,
  { login, consents = true }: Visit,
): Promise<string> {
  const { origin } = new URL(begin);
  const cookies = new Map<string, string>();
  let next = begin;
  while (new URL(next).origin === origin) {
    const { text, location } = await ask(next, cookies);
    const form = text.includes('name="login"')
      ? { login, password: "any" }
      : { agrees: consents ? "yes" : "no" };
    const to = location ?? (await ask(next, cookies, new URLSearchParams(form))).location;
    if (to === undefined) throw new Error(`the provider leads nowhere: ${text}`);
    next = to;
  }
  return next;
}

async function ask(
  address: string,
  cookies: Map<string, string>,
  form?: URLSearchParams,
): Promise<{ readonly text: string; readonly location: string | undefined }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(address, {
    redirect: "manual",
    headers: { cookie },
    ...(form !== undefined && { method: "POST", body: form }),
  });
  for (const line of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  const to = answer.headers.get("location");
  const location = to === null ? undefined : new URL(to, address).href;
  return { text: await answer.text(), location };
}
