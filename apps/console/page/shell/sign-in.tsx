import { useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../shared/api.ts";
import { COMMON } from "../shared/common.words.ts";
import { TextField } from "../shared/field.tsx";
import { useWords } from "../shared/language.ts";
import { useAction, useLoad } from "../shared/load.ts";
import { Notice, ProblemNotice } from "../shared/notice.tsx";
import { SHELL } from "./shell.words.ts";
import type { SignedOutReason, SigningIn } from "./signing-in.ts";

interface SignInProps {
  readonly reason: SignedOutReason;
  readonly signingIn: Pick<SigningIn, "byPassword" | "byProvider" | "providerName">;
}

/** The way in for somebody with a password or an identity provider, and the way to one for everybody else. */
export function SignIn({ reason, signingIn }: SignInProps) {
  const said = useWords(SHELL);
  const common = useWords(COMMON);
  const action = useAction();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${said.signIn} · Content Feed`;
  }, [said]);
  useEffect(() => heading.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(() => signingIn.byPassword(email, password));
  };
  const { error } = action;
  const isWrong = error instanceof Refused && error.slug === "unauthorized";
  return (
    <main id="main" class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1 ref={heading} tabIndex={-1}>
          {said.signIn}
        </h1>
        {reason !== "none" && <Notice tone="warning">{said.signedOut[reason]}</Notice>}
        <TextField
          label={said.email}
          type="email"
          name="email"
          autocomplete="username"
          required
          value={email}
          onValue={setEmail}
        />
        <TextField
          label={said.password}
          type="password"
          name="password"
          autocomplete="current-password"
          required
          value={password}
          onValue={setPassword}
        />
        {isWrong ? (
          <div class="notice bad" role="alert">
            {said.wrong}
          </div>
        ) : (
          <ProblemNotice error={error} />
        )}
        <button class="primary wide" disabled={action.isBusy}>
          {action.isBusy ? common.working : said.signIn}
        </button>
        <Provider signingIn={signingIn} />
        <p class="hint">{said.linkHint}</p>
      </form>
    </main>
  );
}

/** The way over the identity provider; nothing where there is none, or nobody can say. */
function Provider({ signingIn }: Pick<SignInProps, "signingIn">) {
  const said = useWords(SHELL);
  const common = useWords(COMMON);
  const name = useLoad(signingIn.providerName, []);
  const leaving = useAction();
  if (name.state !== "ready" || name.value === undefined) return null;
  const { error } = leaving;
  const isAway = error instanceof Refused && error.slug === "unavailable";
  return (
    <>
      <p class="or">{said.or}</p>
      <button
        type="button"
        class="wide"
        disabled={leaving.isBusy}
        onClick={() => leaving.run(signingIn.byProvider)}
      >
        {leaving.isBusy ? common.working : said.signInWith(name.value)}
      </button>
      {isAway ? (
        <div class="notice bad" role="alert">
          {said.signedOut.away}
        </div>
      ) : (
        <ProblemNotice error={error} />
      )}
    </>
  );
}
