import {
  request as httpRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request as httpsRequest, Agent as HttpsAgent } from "node:https";
import { Client } from "minio";
import type { S3Settings } from "./settings.ts";

const SILENCE_TIMEOUT_MS_DEFAULT = 10_000;
const CONNECTIONS_MAX = 64;

/** A client that gives up on silence and never tries again by itself: that is for callers, who know what for. */
export function clientOf(settings: S3Settings, endpoint: URL, agent?: HttpAgent): Client {
  const useSSL = endpoint.protocol === "https:";
  const request = useSSL ? httpsRequest : httpRequest;
  return new Client({
    endPoint: endpoint.hostname,
    ...(endpoint.port !== "" && { port: Number(endpoint.port) }),
    useSSL,
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    // Told: else it asks the service before each first request, and cannot sign an address without it.
    region: settings.region,
    pathStyle: true,
    retryOptions: { disableRetry: true },
    ...(agent && { transportAgent: agent }),
    transport: { request: silenceEnds(request, settings.silenceTimeoutMs) } as never,
  });
}

export function agentFor(endpoint: URL): HttpAgent {
  const options = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
  return endpoint.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
}

function silenceEnds(request: typeof httpRequest, timeout = SILENCE_TIMEOUT_MS_DEFAULT) {
  return (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
    const sent = request({ ...options, timeout }, onResponse);
    sent.on("timeout", () => sent.destroy(new Error(`no answer for ${timeout} ms`)));
    return sent;
  };
}
