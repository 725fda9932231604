/** Requests as bytes on the wire; the headers are those a backend's HTTP client sends. */
export interface RequestWriter {
  readonly feed: (userId: string) => string;
  readonly user: (userId: string) => string;
  readonly get: (path: string) => string;
  /** At most 100 events (spec 8). */
  readonly events: (events: readonly object[]) => string;
}

export const FEED_ITEMS = 20;

export function requestWriter(apiKey: string): RequestWriter {
  const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\nAccept: application/json\r\n`;
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
  return {
    get,
    feed: (userId) => get(`/v1/feed?user_id=${userId}&limit=${FEED_ITEMS}`),
    user: (userId) => get(`/v1/users/${userId}`),
    events: (events) => {
      const body = JSON.stringify({ events });
      const length = Buffer.byteLength(body);
      const type = "Content-Type: application/json\r\n";
      return `POST /v1/events HTTP/1.1\r\n${headers}${type}Content-Length: ${length}\r\n\r\n${body}`;
    },
  };
}
