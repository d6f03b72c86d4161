/** Every call of the service to a store, a queue or the upstream, by its port. */
export type CallName =
  | `tasks.${'create' | 'find' | 'advance' | 'advanceWithPlace' | 'requestDeletion' | 'remove' | 'due' | 'postpone' | 'inputKeys'}`
  | `pool.${'read' | 'coolDown' | 'addFailure' | 'clearFailures' | 'claimProbe' | 'addCounts'}`
  | `line.${'ticket' | 'hold' | 'waiting' | 'call' | 'advance'}`
  | `position.${'read' | 'save'}`
  | 'charges.record'
  | `files.${'put' | 'open'}`
  | `claims.${'add' | 'renew' | 'saveFailures' | 'leave' | 'release'}`
  | `webhooks.${'send' | 'sendAll' | 'acknowledge'}`
  | `endpoints.${'find' | 'list' | 'saveHealth'}`
  | `deliveries.${'add' | 'find' | 'save' | 'postpone' | 'due'}`
  | 'sender.send'
  | `accounts.${'find' | 'reserve' | 'markRefusal' | 'renew' | 'release' | 'due' | 'postpone' | 'removeNotice'}`
  | `media.${'putInput' | 'getInput' | 'putVideo' | 'remove' | 'inputsAfter'}`
  | `slowSteps.${'begin' | 'end'}`
  | `queue.${'send' | 'sendAll' | 'acknowledge' | 'waiting'}`
  | 'ages.read'
  | `loads.${'read' | 'hold' | 'save'}`
  | 'retirements.note'
  | `generator.${'submit' | 'check' | 'open' | 'read' | 'image'}`;

/**
 * How a port makes its calls: at once, after a delay, or with a fault. A conditional write gives the answer that it has
 * where its condition does not hold.
 */
export type Call = <T>(name: CallName, apply: () => T, refused?: T) => Promise<T>;

export const callAtOnce: Call = async (_name, apply) => apply();
