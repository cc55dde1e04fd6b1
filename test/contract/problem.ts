/** A problem that a check of a contract finds. */
export interface Problem {
  /** The name of the broken rule: one of the house rules, or one of the tool. */
  readonly rule: string;
  /** JSON Pointer of the place, as a URI fragment (`#/paths/~1users/get`), or a GraphQL coordinate (`User.name`). */
  readonly place: string;
  readonly message: string;
}
