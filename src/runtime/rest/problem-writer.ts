/** Writes problems as responses, in the representation that suits the client. */

import type { HttpResponse, ResponseContent } from '../http/message.js';
import { encodeHeaderValue } from '../http/header-value.js';
import { compileNegotiation } from '../http/media-type.js';
import type { Problem } from '../http/problem.js';
import type { ProblemFormat } from './problem-format.js';
import type { Encoder } from './operation/response.js';

/**
 * Makes the function that writes problems.
 *
 * @returns a function from a problem and the client's `Accept` to the response; it throws for invalid headers
 * @throws when the format names a media type that has no encoder
 */
export function compileProblemWriter(
  format: ProblemFormat,
  encoders: Readonly<Record<string, Encoder>>,
): (problem: Problem, accept: string | undefined) => HttpResponse {
  const [first, ...others] = format.mediaTypes;
  if (first === undefined) throw new Error('the problem format names no media type');
  const encode = new Map(format.mediaTypes.map((mediaType) => [mediaType, encoderOf(mediaType, encoders)]));
  const negotiate = compileNegotiation([first, ...others]);
  return (problem, accept) => {
    // A client that accepts none of the media types still gets the problem, in the first one (RFC 9110 §15.5.7).
    const mediaType = negotiate(accept) ?? first;
    const headers = Object.entries(problem.headers).map(
      ([name, text]) => [name, encodeHeaderValue(text)] as const,
    );
    return {
      status: problem.status,
      headers: {
        ...Object.fromEntries(headers),
        'Content-Type': mediaType,
        ...(others.length > 0 && { Vary: 'Accept' }),
      },
      body: (encode.get(mediaType) ?? JSON.stringify)(format.body(problem)),
    };
  };
}

function encoderOf(
  mediaType: string,
  encoders: Readonly<Record<string, Encoder>>,
): (value: unknown) => ResponseContent {
  const registered = encoders[mediaType];
  if (registered !== undefined) return (value) => registered(value, 'Error');
  if (/[/+]json$/.test(mediaType)) return JSON.stringify;
  throw new Error(`there is no encoder for ${mediaType}`);
}
