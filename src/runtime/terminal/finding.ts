/** The findings of a command, in the form from which every format of its report is written. */

/** A fault or a remark that a command reports. */
export interface Finding {
  /** The name of the rule: `maximum-changed`. */
  readonly rule: string;
  /** `error` makes the command fail. */
  readonly level: 'error' | 'warning' | 'note';
  /** One sentence without a full stop. */
  readonly message: string;
  /** The operation or the file that it concerns: one of {@link Report.cases}. */
  readonly about: string;
  readonly place?: FindingPlace | undefined;
  /** More lines: a request, or the message that proves a break. */
  readonly details?: string | undefined;
  /** The same for a page, each part with its title. */
  readonly exhibits?: readonly Exhibit[] | undefined;
  /** All places, if there are more, as for both versions of a contract. */
  readonly places?: readonly FindingPlace[] | undefined;
  /** Finer than the rule, if a page shall filter by it. */
  readonly kind?: string | undefined;
  /** The tags of its operations, by which a page filters. */
  readonly tags?: readonly string[] | undefined;
}

export interface FindingPlace {
  /** Relative to the working directory. */
  readonly file: string;
  /** From 1. */
  readonly line?: number | undefined;
  /** The lines around it, which a page shows, with the number of the first. */
  readonly around?: { readonly first: number; readonly lines: readonly string[] } | undefined;
}

/** A text that proves a finding: a request, or an answer. */
export interface Exhibit {
  readonly title: string;
  readonly text: string;
}

/** All findings of one run of a command. */
export interface Report {
  /** The command: `concordat diff`. */
  readonly command: string;
  /** The operations or files that the command has checked, whether it found something or not. */
  readonly cases: readonly string[];
  readonly findings: readonly Finding[];
  /** Sentences for the top of a page. */
  readonly summary?: readonly string[];
  /** How much there is of something, for the bars of a page; unless given, the findings of each rule. */
  readonly shares?: readonly { readonly name: string; readonly part: number; readonly whole: number }[];
}
