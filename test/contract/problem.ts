/** What a check of a contract finds. */
export interface Problem {
  /** Which rule is broken; the name of ours, or of the tool's. */
  readonly rule: string;
  /** JSON Pointer of the place, as a URI fragment (`#/paths/~1users/get`), or a GraphQL coordinate (`User.name`). */
  readonly place: string;
  readonly message: string;
}
