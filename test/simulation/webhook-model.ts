/** Webhooks in the model, with the events that they must get, and the values of stored fields. */

/** An event that a webhook must get; one that is not sure was written when it may have been disabled. */
interface Due {
  readonly type: string;
  readonly subject: string;
  readonly isSure: boolean;
  /** In which step of the model it was written. */
  readonly step: number;
}

export interface Webhook {
  readonly id: string;
  url: string;
  readonly types: readonly string[] | undefined;
  /** `unsure` if its receiver gave a reason to disable it. */
  status: 'active' | 'disabled' | 'unsure' | 'deleted';
  /** With the times between which they sign, in milliseconds. */
  secrets: readonly { readonly secret: string; readonly since: number; readonly until: number }[];
  /** In which step of the model it was deleted. */
  deletedIn?: number;
  /** The ids of deliveries that were listed last, and when, in milliseconds: they are there for a while. */
  listed?: { readonly ids: readonly string[]; readonly at: number };
  /** Whether something was delivered again. */
  isRepeated: boolean;
  /** By step and subject: in which order the requests of one step have written is not known. */
  due: readonly Due[];
}

export function due(webhook: Webhook, event: Due): void {
  webhook.due = [...webhook.due, event].sort(
    (one, other) =>
      one.step - other.step || (one.subject < other.subject ? -1 : Number(one.subject > other.subject)),
  );
}

/** What waits for a webhook that is disabled need not come. */
export function disable(webhook: Webhook, status: 'disabled' | 'deleted' | 'unsure'): void {
  webhook.status = status;
  webhook.due = webhook.due.map((each) => ({ ...each, isSure: false }));
}

/** Whether events are those of a page of what was due, the latest first; those of one step come in any order. */
export function isPage(
  listed: readonly Pick<Due, 'type' | 'subject'>[],
  page: readonly Due[],
  all: readonly Due[],
): boolean {
  const left = [...all];
  const isDue = ({ type, subject }: Pick<Due, 'type' | 'subject'>, place: number): boolean => {
    const at = left.findIndex(
      (each) => each.step === page[place]?.step && each.type === type && each.subject === subject,
    );
    return at !== -1 && left.splice(at, 1).length === 1;
  };
  return listed.length === page.length && listed.every(isDue);
}

/** The values of the fields of a deployer's own contract, as a client has given them. */
export interface StoredValues {
  readonly shelf?: string | undefined;
  readonly level?: string | undefined;
  readonly note?: string | null | undefined;
}
