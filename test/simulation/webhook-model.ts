/** Webhooks in the model, with the events that they must get, and the values of stored fields. */

/** An event that a webhook must get; one that is not sure was written when it may have been disabled. */
interface Due {
  readonly type: string;
  readonly subject: string;
  readonly isSure: boolean;
}

export interface Webhook {
  readonly id: string;
  url: string;
  readonly types: readonly string[] | undefined;
  /** `unsure` if its receiver gave a reason to disable it. */
  status: 'active' | 'disabled' | 'unsure' | 'deleted';
  /** With the times between which they sign, in milliseconds. */
  secrets: readonly { readonly secret: string; readonly since: number; readonly until: number }[];
  /** Whether something was delivered again. */
  isRepeated: boolean;
  due: readonly Due[];
}

/** The values of the fields of a deployer's own contract, as a client has given them. */
export interface StoredValues {
  readonly shelf?: string | undefined;
  readonly level?: string | undefined;
  readonly note?: string | null | undefined;
}
