import type { DataFolder } from './data-folder.ts';
import type { MessageLog } from './events/queue-poller.ts';
import type { FunctionLog } from './functions/function-host.ts';
import type { InvocationRecord } from './functions/invocation-records.ts';
import type { RequestLog } from './gateway/request-handler.ts';
import type { OnError } from './local-cloud-error.ts';
import type { SecretResolver } from './provision/secrets.ts';
import type { TemplateFiles } from './template/template.ts';

export type LocalCloudOptions = TemplateFiles & {
  readonly data: DataFolder;
  /** 0 takes any free port. */
  readonly port: number;
  readonly resolveSecret: SecretResolver;
  /** Off: schedules run only through `runSchedule`. */
  readonly schedules?: boolean;
  readonly onRequest?: (log: RequestLog) => void;
  readonly onMessage?: (log: MessageLog) => void;
  readonly onError?: OnError;
  readonly onInvocation?: (record: InvocationRecord) => void;
  /** Told the logical id of a function whose invocation Lambda would turn away. */
  readonly onThrottle?: (functionId: string) => void;
  readonly onFunctionLog?: (log: FunctionLog) => void;
};
