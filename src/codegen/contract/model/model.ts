/** The model of a contract, with references followed and defaults filled in. */

import type {
  Coercion,
  FieldCodec,
  Json,
  Method,
  ParameterCodec,
  PartField,
  Sequence,
} from '@concordat/runtime';
import type { SchemaNode } from '../schemas/contract-schemas.js';
import type { PathItem, Referenced, SecurityRequirementObject } from '../schemas/document.js';

/** A REST contract, read and checked; every file of `generated/` is written from it. */
export interface ContractModel {
  readonly operations: readonly OperationModel[];
  /** The operations that `only` and `except` leave out, whose paths still decide which path a request matches. */
  readonly left: readonly PlacedOperation[];
  /** The requests that the service sends itself. */
  readonly webhooks: readonly OutgoingModel[];
  readonly callbacks: readonly OutgoingModel[];
  /** The path items of callbacks, by the `path` of their operations. They are typed like webhooks. */
  readonly callbackItems: Readonly<Record<string, Referenced<PathItem>>>;
  readonly securitySchemes: Readonly<Record<string, Json>>;
  /** The `xml.name` of component schemas, by schema. */
  readonly xmlNames: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, Json>>;
}

/** A request that the service sends; its `path` is its name or, of a callback, its expression. */
export interface OutgoingModel extends OperationModel {
  /** Callbacks only: the runtime expression of the address. */
  readonly url?: string;
}

/** A path item of an operation's callbacks, under one name and one runtime expression. */
export interface CallbackItem {
  readonly name: string;
  readonly url: string;
  readonly item: Referenced<PathItem>;
  readonly at: string;
}

export interface OperationModel {
  /** The operationId, or one derived from method and path if the contract has none. */
  readonly id: string;
  /** The id in PascalCase, unique in the contract: the stem of its type names. */
  readonly typeName: string;
  readonly method: Method;
  readonly path: string;
  /** Whether the service sends the request: a webhook or a callback. */
  readonly isSent: boolean;
  /** The place of the operation in the document, as a JSON Pointer fragment. */
  readonly pointer: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly parameters: readonly ParameterModel[];
  readonly requestBody?: RequestBodyModel;
  readonly responses: readonly ResponseModel[];
  readonly security: readonly SecurityRequirementObject[];
  readonly callbacks: readonly CallbackItem[];
  readonly extensions: Readonly<Record<string, Json>>;
}

/** An operation by its place in the tree of paths. */
export type PlacedOperation = Pick<OperationModel, 'id' | 'method' | 'path' | 'pointer'>;

/** An operation that has no name yet. */
export type OperationDraft = Omit<OperationModel, 'id' | 'typeName'> & {
  readonly operationId: string | undefined;
};

export interface ParameterModel extends Omit<ParameterCodec, 'required' | 'value' | 'fields'> {
  /** The name under `components.parameters`, when it is one of those. */
  readonly component?: string;
  /** Path parameters: the position among the values of the path template. */
  readonly index?: number;
  readonly required: boolean;
  /** The place of its Parameter Object. */
  readonly at: string;
  /** Its schema; one that accepts everything if the contract gives none. */
  readonly node: SchemaNode;
  readonly coercion: Coercion;
  /** A `querystring` that is a form. */
  readonly fields?: Readonly<Record<string, FieldCodec>>;
}

export interface RequestBodyModel {
  readonly required: boolean;
  /** `x-body-limit`, in bytes. */
  readonly limit?: number;
  readonly content: readonly MediaTypeModel[];
}

/** The encoding of a body; see `BodyCodec` of the engine. */
export type BodyKind =
  'json' | 'text' | 'bytes' | 'byte-stream' | 'form' | 'multipart' | 'parts' | 'items' | 'other';

export interface MediaTypeModel {
  /** Lower-case, without parameters; may be a range such as `image/*`. */
  readonly mediaType: string;
  /** As the contract writes it. */
  readonly key: string;
  readonly kind: BodyKind;
  /** The place of its Media Type Object. */
  readonly at: string;
  /** Its schema; absent if the contract gives none. For a sequential media type, the schema of an item. */
  readonly node?: SchemaNode;
  /** The schema that is checked, if it is another one: an event with its data decoded. */
  readonly checked?: SchemaNode;
  readonly fields?: Readonly<Record<string, FieldCodec>>;
  readonly items?: Sequence;
  readonly parts?: PartsModel;
  /** For a form that is read part by part, the media type as it is read whole. */
  readonly whole?: MediaTypeModel;
}

export interface PartsModel {
  readonly fields: Readonly<Record<string, PartModel>>;
  /** Whether a part with another name is refused. */
  readonly isClosed: boolean;
}

export interface PartModel extends Omit<PartField, 'check'> {
  /** The schema of one part's value. */
  readonly node: SchemaNode;
}

export interface ResponseModel {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly key: string;
  /** The name under `components.responses`, when it is one of those. */
  readonly component?: string;
  readonly description: string;
  readonly headers: readonly HeaderModel[];
  readonly content: readonly MediaTypeModel[];
}

export interface HeaderModel {
  readonly name: string;
  readonly required: boolean;
  readonly explode: boolean;
  /** The place of its Header Object. */
  readonly at: string;
  /** Its schema; absent if the contract gives none. */
  readonly node?: SchemaNode;
}
