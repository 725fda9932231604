const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** What is wrong with the address of an issuer (OpenID Connect Discovery 1.0, 3), as the end of a sentence. */
export function issuerFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an https address";
  if (url.protocol === "http:" && !isLoopback(url))
    return "must be an https address: http is for loopback alone";
  const extra = url.search + url.hash + url.username + url.password;
  return extra === "" ? undefined : "must have neither query nor fragment nor password";
}

/** Whether the provider at this issuer may be asked at an address: over TLS, unless both are on this machine. */
export function mayBeAsked(issuer: URL, address: URL): boolean {
  if (address.protocol === "https:") return true;
  return address.protocol === "http:" && isLoopback(address) && isLoopback(issuer);
}

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
