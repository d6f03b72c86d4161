type Role = 'client' | 'image' | 'worker' | 'webhookWorker' | 'sweeper' | 'cleaner' | 'deadLetter';

/** One run of a function: it ends, or it dies and nothing after that happens in it. */
export class Invocation {
  readonly role: Role;
  readonly taskId: string | undefined;
  #state: 'alive' | 'ended' | 'dead' = 'alive';
  #onDeath: (() => void)[] = [];
  /** True from an answered submit until its operation is written down. */
  holdsAnswer = false;

  constructor(role: Role, taskId?: string) {
    this.role = role;
    this.taskId = taskId;
  }

  get isAlive(): boolean {
    return this.#state === 'alive';
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  readonly onDeath = (run: () => void): void => {
    this.#onDeath.push(run);
  };

  readonly end = (): void => {
    if (this.#state === 'alive') this.#state = 'ended';
  };

  readonly die = (): void => {
    if (this.#state !== 'alive') return;
    this.#state = 'dead';
    for (const run of this.#onDeath) run();
  };
}
