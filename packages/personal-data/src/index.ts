export { openPersonalData } from "./personal-data.ts";
export type { PersonalDataOptions } from "./personal-data.ts";
export type {
  OpenedRecord,
  OpenItem,
  OpenOutcome,
  PersonalData,
  SealedPersonalFact,
  SealItem,
} from "./port.ts";
