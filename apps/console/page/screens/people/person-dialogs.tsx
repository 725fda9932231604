import { ConfirmDialog } from "../../shared/dialog.tsx";
import { useWords } from "../../shared/language.ts";
import { useSession } from "../../shared/session.ts";
import type { Person } from "./people-types.ts";
import { PEOPLE } from "./people.words.ts";

interface LinkProps {
  readonly person: Person;
  readonly onMade: (url: string) => void;
  readonly onClose: () => void;
}

/** Makes the link by which somebody signs in once. */
export function LinkDialog({ person, onMade, onClose }: LinkProps) {
  const said = useWords(PEOPLE);
  const { api } = useSession();
  const make = async () => {
    const { person_id } = person;
    onMade((await api.call("adminMakeSignInLink", { person_id })).data.url);
  };
  return (
    <ConfirmDialog title={said.linkTitle} verb={said.linkMake} onConfirm={make} onClose={onClose}>
      <p>{said.linkText(person.email)}</p>
    </ConfirmDialog>
  );
}

interface RemoveProps {
  readonly person: Person;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

export function RemoveDialog({ person, onRemoved, onClose }: RemoveProps) {
  const said = useWords(PEOPLE);
  const { api, announce } = useSession();
  const remove = async () => {
    await api.call("adminRemovePerson", { person_id: person.person_id });
    announce(said.removed);
    onRemoved();
    onClose();
  };
  return (
    <ConfirmDialog
      title={said.removeTitle}
      verb={said.remove}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{said.removeText(person.email)}</p>
    </ConfirmDialog>
  );
}
