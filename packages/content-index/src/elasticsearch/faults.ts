import { errors } from "@elastic/elasticsearch";

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof errors.ResponseError && error.statusCode === status;
}
