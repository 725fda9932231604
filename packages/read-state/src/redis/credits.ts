import type { TenantId } from "@feed/domain/ids";
import { reservationAfter } from "@feed/projections/credits";
import type {
  CreditStanding,
  CreditTaking,
  ReadStateChange,
  Reservation,
  UsageRecord,
} from "../port.ts";
import { ReadStateUnavailable } from "../port.ts";
import { script, type RedisConnection } from "./connection.ts";
import type { Keys } from "./keys.ts";

type Change<Kind extends ReadStateChange["kind"]> = Extract<ReadStateChange, { kind: Kind }>;

const PUT_USAGE = script("put-usage");
const PUT_CAP = script("put-cap");
const TAKE = script("take-credits");
const REPLACE_RESERVATION = script("replace-reservation");
/** One projector writes a tenant's reservations; another only while partitions change hands. */
const ATTEMPTS_MAX = 20;

/**
 * Credits of all nodes of an installation.
 *
 * What a tenant used is max(projected, taken) of feeds and contents, plus what push jobs settled. Taking raises
 * `taken` above both; credits are taken before their delivery is appended, so `projected` never exceeds the truth,
 * and nothing counts twice. What a node took and died with, before the delivery was appended, counts until the
 * month ends: as many credits as it had answers under way.
 */
export class Credits {
  readonly #redis: RedisConnection;
  readonly #keys: Keys;

  constructor(redis: RedisConnection, keys: Keys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  async putUsage({ tenantId, month, partition, tenths, offset }: Change<"put-usage">) {
    const values = [partition, tenths, offset].map(String);
    await this.#redis.run(PUT_USAGE, [this.#keys.credits(tenantId, month)], ...values);
  }

  async putCap({ tenantId, capTenths, offset }: Change<"put-cap">): Promise<void> {
    const cap = capTenths === null ? "" : String(capTenths);
    await this.#redis.run(PUT_CAP, [this.#keys.cap(tenantId)], cap, String(offset));
  }

  /** Read, decided by `reservationAfter`, and written unless somebody changed it meanwhile. */
  async putReservationStep(change: Change<"put-reservation-step">): Promise<void> {
    const { tenantId, reservationId, month } = change;
    const key = this.#keys.reservation(tenantId, reservationId);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const stored = await this.#reservationText(key);
      const before = reservationIn(stored);
      const after = reservationAfter(before, change);
      if (after === undefined) return;
      const held = heldBy(after) - heldBy(before);
      const settled = after.step === "settled" ? after.tenths : 0;
      const texts = [stored, `${after.step} ${after.tenths}`, String(held), String(settled)];
      const places = [key, this.#keys.credits(tenantId, month)] as const;
      if ((await this.#redis.run(REPLACE_RESERVATION, places, ...texts)) === 1) return;
    }
    throw new ReadStateUnavailable(`others kept changing reservation ${reservationId}`);
  }

  async reservation(tenantId: TenantId, reservationId: string): Promise<Reservation | undefined> {
    return reservationIn(
      await this.#reservationText(this.#keys.reservation(tenantId, reservationId)),
    );
  }

  async usage(
    tenantId: TenantId,
    month: string,
    partition: number,
  ): Promise<UsageRecord | undefined> {
    const fields = [`tenths:${partition}`, `offset:${partition}`];
    const [tenths, offset] = await this.#fields(this.#keys.credits(tenantId, month), fields);
    return tenths === null || offset === null
      ? undefined
      : { tenths: Number(tenths), offset: Number(offset) };
  }

  async take(tenantId: TenantId, month: string, tenths: number): Promise<CreditTaking> {
    const keys = [this.#keys.credits(tenantId, month), this.#keys.cap(tenantId)] as const;
    const answer = await this.#redis.run(TAKE, keys, String(tenths));
    const [taken, sum] = answer as readonly [number, number];
    return taken === 1
      ? { kind: "granted", usedTenths: sum }
      : { kind: "cap-reached", capTenths: sum };
  }

  async giveBack(tenantId: TenantId, month: string, tenths: number): Promise<void> {
    await this.take(tenantId, month, -tenths);
  }

  async standing(tenantId: TenantId, month: string): Promise<CreditStanding> {
    const [[projected, taken, held, settled], [cap]] = await Promise.all([
      this.#fields(this.#keys.credits(tenantId, month), ["projected", "taken", "held", "settled"]),
      this.#fields(this.#keys.cap(tenantId), ["tenths"]),
    ]);
    return {
      usedTenths: Math.max(Number(projected), Number(taken)) + Number(settled),
      reservedTenths: Number(held),
      capTenths: cap === null || cap === undefined || cap === "" ? null : Number(cap),
    };
  }

  async #reservationText(key: string): Promise<string> {
    return String((await this.#redis.send(key, "GET", key)) ?? "");
  }

  async #fields(key: string, names: readonly string[]): Promise<readonly (string | null)[]> {
    const values = await this.#redis.send(key, "HMGET", key, ...names);
    return (values as readonly (Buffer | null)[]).map((value) => value && value.toString());
  }
}

function heldBy(reservation: Reservation | undefined): number {
  return reservation?.step === "granted" ? reservation.tenths : 0;
}

function reservationIn(text: string): Reservation | undefined {
  const [step = "", tenths] = text.split(" ");
  return text === "" ? undefined : { step: step as Reservation["step"], tenths: Number(tenths) };
}
