import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName, Variables } from '../../functions/platform/runtime/environment.ts';
import { type Config, settingError } from '../config.ts';
import { bundleFunctions } from './bundling.ts';
import { assertEnvironmentFits } from './environment-size.ts';
import type { Grant } from './grant.ts';
import { ServiceFunction } from './service-function.ts';

type FunctionProps<Name extends FunctionName> = {
  readonly description: string;
  readonly grants: Grant<Variables<Name>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly mayLoop?: boolean;
  readonly isGradual?: boolean;
};

/** Makes the functions of the stack, each from the file of `functions/` that bears its name. */
export class Functions {
  readonly all = new Map<FunctionName, ServiceFunction<FunctionName>>();
  readonly #scope: Construct;
  readonly #config: Config;
  readonly #code: (name: FunctionName) => Code;

  constructor(scope: Construct, config: Config) {
    this.#scope = scope;
    this.#config = config;
    this.#code = bundleFunctions(scope);
  }

  create<Name extends FunctionName>(name: Name, props: FunctionProps<Name>): ServiceFunction<Name> {
    const id = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const created = new ServiceFunction<Name>(this.#scope, id, {
      ...props,
      code: this.#code(name),
      logRetentionDays: this.#config.logRetentionDays,
      reservedConcurrency: this.#config.reservedConcurrency[name],
    });
    this.all.set(name, created);
    return created;
  }

  /** A name that is misspelt would reserve nothing, and nobody would know. */
  assertReserved(): void {
    const made = new Set<string>(this.all.keys());
    const unknown = Object.keys(this.#config.reservedConcurrency).find((name) => !made.has(name));
    if (unknown !== undefined) throw settingError('reservedConcurrency', `there is no function ${unknown}`);
  }

  assertEnvironments(): void {
    for (const [name, lambda] of this.all) assertEnvironmentFits(name, lambda);
  }

  /** A function behind the gateway: its time is bounded by the gateway's 29 seconds. */
  endpoint<Name extends FunctionName>(
    name: Name,
    description: string,
    grants: Grant<Variables<Name>>,
    options: Pick<FunctionProps<Name>, 'isGradual'> = {},
  ) {
    return this.create(name, { ...options, description, grants, timeoutSeconds: 28, memoryMegabytes: 1024 });
  }
}
