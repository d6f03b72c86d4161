import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, ifIncluded, settings } from '../lambda/service-function.ts';
import { byAccount, DUE, number, tableWith, text } from './service-table.ts';

/** One item per task, which is the source of truth. */
export class TaskTable extends tableWith((TASK_TABLE: string) => ({ TASK_TABLE }), {
  key: 'id',
  expires: true,
  indexes: { ...byAccount(text('position')), ...DUE },
  dueAttributes: ['step', 'sweeps', 'account', 'deadline', 'needs'],
}) {
  readonly find = () => this.grant(['GetItem']);
  /** Finds a task, and its position in line. */
  readonly follow = () => this.grant(['GetItem'], 'due');
  readonly list = () => this.grant(['GetItem'], 'by-account');
  readonly create = () => this.grant(['GetItem', 'BatchGetItem', 'PutItem']);
  /** Ends a task, which stays in the table. */
  readonly cancel = () => this.grant(['GetItem', 'PutItem']);
  /** Renames, keeps or releases a video. */
  readonly change = () => this.grant(['GetItem', 'PutItem']);
  readonly advance = () => this.grant(['GetItem', 'PutItem', 'DeleteItem']);
  /** Advances tasks, calls tasks that wait in line, and counts the slow steps of all accounts. */
  readonly work = () => this.grant(['GetItem', 'PutItem', 'DeleteItem', 'UpdateItem'], 'due');
  /** Creates, lists and cancels tasks, and counts the calls that wait for one. */
  readonly serveAgents = () => this.grant(['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], 'by-account');
  readonly sweep = () => this.grant(['GetItem', 'UpdateItem'], 'due');
  /** Finds the inputs of tasks, and keeps the position of the clean-up. */
  readonly cleanUp = () => this.grant(['GetItem', 'BatchGetItem', 'PutItem']);
}

/** Sign-in links and the console sessions that they become. */
export class SessionTable extends tableWith((SESSION_TABLE: string) => ({ SESSION_TABLE }), {
  key: 'id',
  expires: true,
  indexes: byAccount(number('createdAt')),
}) {
  readonly find = () => this.grant(['GetItem']);
  readonly redeem = () => this.grant(['GetItem', 'UpdateItem']);
  readonly addLinks = () => this.grant(['PutItem']);
  /** Opens sessions of people, for example in place of another session. */
  readonly open = () => this.grant(['PutItem']);
  readonly renew = () => this.grant(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
  readonly end = () => this.grant(['DeleteItem']);
  readonly list = () => this.grant([], 'by-account');
}

/** The people of accounts with their roles, and invitations. */
export class MemberTable extends tableWith((MEMBER_TABLE: string) => ({ MEMBER_TABLE }), {
  key: 'account',
  sortKey: 'id',
  expires: true,
  indexes: { 'by-person': [text('id'), text('account')], 'by-email': [text('invitedEmail')] },
}) {
  readonly find = () => this.grant(['GetItem']);
  readonly list = () => this.grant(['Query']);
  readonly listAccounts = () => this.grant([], 'by-person');
  readonly listInvitations = () => this.grant([], 'by-email');
  readonly change = () => this.grant(['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem']);
  /** Adds a key to a person and takes it away. */
  readonly holdKeys = () => this.grant(['UpdateItem', 'ConditionCheckItem']);
  readonly releaseKeys = () => this.grant(['UpdateItem']);
  readonly invite = () => this.grant(['Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem']);
  readonly deleteInvitations = () => this.grant(['Query', 'DeleteItem']);
  /** Roles, removal, and the keys and invitations of the person. */
  readonly manage = () => this.grant(['Query', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem']);
}

/** The audit log. Functions can only add and list entries. */
export class AuditTable extends tableWith((AUDIT_TABLE: string) => ({ AUDIT_TABLE }), {
  key: 'account',
  sortKey: 'id',
  expires: true,
}) {
  readonly add = () => this.grant(['PutItem']);
  readonly list = () => this.grant(['Query']);
}

type OwnerTables = { readonly sessions: SessionTable; readonly members: MemberTable | undefined };

/** API keys by their hash; the keys themselves are not stored. */
export class KeyTable extends tableWith((KEY_TABLE: string) => ({ KEY_TABLE }), {
  key: 'hash',
  indexes: byAccount(number('createdAt')),
}) {
  readonly #sessions: SessionTable;
  readonly #members: MemberTable | undefined;

  constructor(scope: Construct, id: string, config: Config, { sessions, members }: OwnerTables) {
    super(scope, id, config);
    this.#sessions = sessions;
    this.#members = members;
  }

  /** Identifies a caller by API key. */
  readonly findKeys = () =>
    allOf(
      this.grant(['GetItem']),
      ifIncluded(this.#members?.find()),
      settings({ ACCOUNT_REQUESTS_PER_SECOND: String(this.config.accountRequestsPerSecond) }),
    );
  /** Identifies a caller by API key or console session. */
  readonly find = () => allOf(this.findKeys(), this.#sessions.find());
  readonly list = () => this.grant([], 'by-account');
  readonly add = () => this.grant(['PutItem']);
  readonly change = () => this.grant(['UpdateItem']);
}

/** Reservations for unfinished requests of accounts with limits, keyed by task, and notices of reached budgets. */
export class ReservationTable extends tableWith((RESERVATION_TABLE: string) => ({ RESERVATION_TABLE }), {
  key: 'taskId',
  indexes: DUE,
}) {
  /** Creates a reservation, takes over that of an earlier attempt, or releases it. */
  readonly hold = () => this.grant(['PutItem', 'UpdateItem', 'DeleteItem']);
  readonly end = () => this.grant(['DeleteItem']);
  readonly sweep = () => this.grant(['UpdateItem', 'DeleteItem'], 'due');
}

/** The limits and the spending of accounts, and the spending of API keys. */
export class AccountTable extends tableWith((ACCOUNT_TABLE: string) => ({ ACCOUNT_TABLE }), {
  key: 'account',
}) {
  readonly #reservations: ReservationTable;

  constructor(scope: Construct, id: string, config: Config, reservations: ReservationTable) {
    super(scope, id, config);
    this.#reservations = reservations;
  }

  readonly reserve = () =>
    allOf(this.grant(['GetItem', 'UpdateItem']), this.#limits(), this.#reservations.hold());
  readonly readLimits = () => allOf(this.grant(['GetItem']), this.#limits());
  /** Counts the bytes of an item that is kept or released, up to the limit. */
  readonly countKeptItems = () => allOf(this.grant(['GetItem', 'UpdateItem']), this.#keptStorage());
  readonly setStorageLimit = () => this.countKeptItems();
  /** Returns the bytes of a kept item that is deleted. */
  readonly returnStorage = () => this.grant(['UpdateItem']);
  /** When API keys were last charged. */
  readonly readKeyUses = () => this.grant(['BatchGetItem']);
  /** Ends a reservation and counts the charge. */
  readonly settle = () => allOf(this.grant(['UpdateItem']), this.#reservations.end());
  /** Ends abandoned reservations. */
  readonly sweep = () => allOf(this.grant(['UpdateItem']), this.#reservations.sweep());

  #keptStorage() {
    return settings({ KEPT_STORAGE_MEGABYTES: String(this.config.keptStorageMegabytes) });
  }

  /** The limits of accounts that have none of their own, and the prices. */
  #limits() {
    const { accountMonthlyBudget, accountVideosAtOnce, accountCreatesPerMinute, prices } = this.config;
    return settings({
      ACCOUNT_LIMITS: JSON.stringify({
        monthlyBudget: accountMonthlyBudget === '' ? undefined : accountMonthlyBudget,
        videosAtOnce: accountVideosAtOnce === 0 ? undefined : accountVideosAtOnce,
        createsPerMinute: accountCreatesPerMinute === 0 ? undefined : accountCreatesPerMinute,
      }),
      PRICES: JSON.stringify(prices),
    });
  }
}

/** Charge records. They outlive the tasks, and functions can only add and list them. */
export class ChargeTable extends tableWith((CHARGE_TABLE: string) => ({ CHARGE_TABLE }), {
  key: 'id',
  indexes: byAccount(number('time')),
}) {
  readonly record = () => this.grant(['PutItem']);
  readonly list = () => this.grant([], 'by-account');
}

/** Charges summed by day, key, person, model and size, so that a month is read without reading its charge records. */
export class UsageTable extends tableWith((USAGE_TABLE: string) => ({ USAGE_TABLE }), {
  key: 'account',
  sortKey: 'entry',
}) {
  readonly add = () => this.grant(['UpdateItem']);
  readonly read = () => this.grant(['Query']);
}

/**
 * Share links by an id that their token leads to, and the number of links of each account. A table of its own, so that
 * the functions that anyone can call read nothing else by a key that a visitor chooses.
 */
export class ShareTable extends tableWith((SHARE_TABLE: string) => ({ SHARE_TABLE }), {
  key: 'id',
  expires: true,
  indexes: byAccount(text('id')),
}) {
  readonly find = () => this.grant(['GetItem']);
  readonly list = () => this.grant([], 'by-account');
  /** Adds a link, and counts the links of the account if it has many. */
  readonly add = () => this.grant(['PutItem', 'UpdateItem'], 'by-account');
  readonly revoke = () => this.grant(['DeleteItem', 'UpdateItem']);
}
