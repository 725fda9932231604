/**
 * Why a sign-in through a provider came to nothing, as the page that is shown then is told.
 *
 * `expired`: begun elsewhere, too long ago, or finished before. `refused`: the person did not agree. `unverified`: the
 * provider has not verified the person's address. `no-access`: nobody here with access is meant. `not-accepted`: the
 * answer breaks a rule. `away`: the provider, or a part of the service, does not answer.
 */
export type SignInFailure =
  | "expired"
  | "refused"
  | "unverified"
  | "no-access"
  | "not-accepted"
  | "away";

export class SignInFailed extends Error {
  override readonly name = "SignInFailed";
  readonly reason: SignInFailure;

  constructor(reason: SignInFailure, options?: ErrorOptions) {
    super(`nobody signs in: ${reason}`, options);
    this.reason = reason;
  }
}
