/** Asks for nested resources below other parents, and below parents that are deleted. */

import type { OperationModel } from 'concordat/contract';
import { type Resource, itemsOf, namesOf, writtenValue } from '../../running/resources.js';
import { isMocked } from '../run/server.js';
import type { Finding } from '../run/verify-report.js';
import { type PathValues, bodyOf } from './named-resources.js';
import { createdBy } from './read-back.js';
import { plainParts } from '../../running/plain-parts.js';
import { type Outcome, type Sender, statusOf } from './session.js';

export class NestedChecks {
  constructor(
    private readonly resources: readonly Resource[],
    private readonly run: Sender,
  ) {}

  async check(): Promise<void> {
    for (const child of this.resources) {
      const depth = namesOf(child.path).length - 1;
      const above = this.resources.filter(({ path }) => child.path.startsWith(`${path}/`));
      const parent = above.find(({ path, create }) => create !== undefined && namesOf(path).length === depth);
      if (depth === 1 && parent !== undefined && child.create !== undefined && child.read !== undefined)
        await this.#nested(parent, child);
    }
  }

  async #nested({ create, remove }: Resource, child: Resource): Promise<void> {
    const parents = [await this.#new(create), await this.#new(create)];
    const [own, other] = parents.map((each) => each?.values);
    if (own === undefined || other === undefined || JSON.stringify(own) === JSON.stringify(other)) return;
    const created = await this.#new(child.create, own);
    if (created === undefined) return;
    const [, id = ''] = [...created.values];
    const led = [...parents, created].flatMap((each) => each?.outcome ?? []);
    const isOthers = async (operation: OperationModel | undefined, about: string): Promise<boolean> => {
      const shown = await this.#send(operation, about, [...other, id]);
      if (shown?.isSuccess !== true) return false;
      this.#found(`it was created below another parent, and is answered by ${statusOf(shown)}`, shown, led);
      return true;
    };
    // Two resources of different parents may have one id.
    if (!(await isOthers(child.read, 'the resource below another parent'))) {
      const listed = await this.#send(child.list, 'the list below another parent', other);
      const items = listed?.isSuccess === true ? itemsOf(bodyOf(listed.answer)) : undefined;
      if (
        listed !== undefined &&
        items?.some((each) => writtenValue(each['id']) === writtenValue(id)) === true
      )
        this.#found('the list has a resource that was created below another parent', listed, led);
      if (await isOthers(child.remove, 'the deletion below another parent')) return;
    }
    if (remove === undefined || (await this.#send(remove, 'the parent', own))?.isSuccess !== true) return;
    const reason = ', but the contract does not say that it is deleted with its parent';
    await this.#orphan(child.read, [...own, id], led, reason);
    await this.#orphan(child.list, own, led);
    await this.#orphan(child.create, own, led);
  }

  /** A request below a deleted parent, which should find nothing. */
  async #orphan(
    operation: OperationModel | undefined,
    values: PathValues,
    led: readonly Outcome[],
    reason = '',
  ): Promise<void> {
    const is404 = operation?.responses.some(({ status }) => ['404', '4XX', 'default'].includes(status));
    const shown = is404 === true ? await this.#send(operation, 'below a deleted parent', values) : undefined;
    if (shown?.isSuccess !== true) return;
    const message = `its parent was deleted, and it is answered by ${statusOf(shown)}${reason}`;
    this.#found(message, shown, led, reason !== '');
  }

  #found(message: string, shown: Outcome, led: readonly Outcome[], isUncertain = false): void {
    const finding: Finding = { rule: 'wrong-parent', message, isUncertain };
    this.run.add(`wrong-parent ${shown.case.parts.operation.id} ${shown.case.about}`, finding, shown, led);
  }

  /** Creates a resource. @returns its path values */
  async #new(
    create: OperationModel | undefined,
    above: PathValues = [],
  ): Promise<{ readonly outcome: Outcome; readonly values: PathValues } | undefined> {
    const outcome = await this.#send(create, 'a resource and its parent', above);
    const values = outcome?.isSuccess === true && !isMocked(outcome.answer) ? createdBy(outcome) : undefined;
    return outcome && values && { outcome, values };
  }

  async #send(
    operation: OperationModel | undefined,
    about: string,
    values: PathValues,
  ): Promise<Outcome | undefined> {
    const parts = operation && plainParts(operation, false);
    const outcome = parts && (await this.run.send({ about, parts }, values));
    if (outcome !== undefined && !outcome.isGone) await this.run.see(outcome, true);
    return outcome;
  }
}
