import type { ImageChargeRecord } from '../../accounts/domain/billing.ts';

type OfTask = { readonly taskId: string };
type OfStep = OfTask & { readonly step: number };
type OfEndpoint = { readonly endpointId: string; readonly account: string };
type OfDelivery = OfEndpoint & {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly attempts: number;
};
type OfShare = { readonly owner: string; readonly id: string };
type OfRequest = { readonly requestId: string };
type OfImage = OfRequest & { readonly account: string; readonly model: string };
type OfFault = { readonly fault: string; readonly httpStatus: number | undefined };
type OfCall = { readonly call: string; readonly milliseconds: number };

/** Every event that is logged, with its fields: never a prompt, a key, an image or a signed address. */
export type LogEvents = {
  readonly request: OfRequest & {
    readonly route: string;
    readonly status: number;
    readonly milliseconds: number;
    readonly serverError: boolean;
    readonly account?: string;
    readonly code?: string;
  };
  readonly 'request failed': Partial<OfRequest>;
  readonly 'stream failed': OfRequest;
  readonly 'stream ends with an error': OfRequest & { readonly code: string };

  readonly 'task created': OfTask & {
    readonly account: string;
    readonly model: string;
    readonly mode: string;
  };
  readonly 'task submitted': OfTask & { readonly account: string; readonly queueSeconds: number };
  readonly 'task completed': OfTask & {
    readonly account: string;
    readonly model: string;
    readonly seconds: number;
    readonly bytes: number;
    readonly generationSeconds: number;
  };
  readonly 'task failed': OfTask & {
    readonly account: string;
    readonly model: string;
    readonly code: string;
  };

  readonly 'submit failed': OfTask & OfFault;
  readonly 'submit not written down': OfTask & { readonly tries: number };
  readonly 'input is missing': OfTask;
  readonly 'check failed': OfTask & OfFault;
  readonly 'fetch failed': OfTask & { readonly attempt: number; readonly fault: string };

  readonly 'share used up': OfShare;
  readonly 'share not counted': OfShare;

  readonly overtaken: OfStep;
  readonly 'stale message dropped': OfStep;
  readonly 'step not queued': OfStep;
  readonly 'message failed': Partial<OfStep & Pick<OfDelivery, 'deliveryId' | 'eventId'>> & {
    readonly messageId: string;
  };
  readonly 'dead letter': OfStep;
  /** The key is that of the table, its parts joined by a slash. */
  readonly 'item not readable': { readonly table: string; readonly key: string };
  readonly swept: { readonly requeued: number; readonly left: number };
  readonly 'not swept': OfStep;
  readonly 'sweep held back': { readonly waiting: number };
  readonly 'queue age not recorded': { readonly minute: number };
  readonly 'queue age not known': { readonly minute: number };
  readonly 'leftovers removed': { readonly removed: number; readonly left: number };
  readonly 'leftover not removed': { readonly key: string };
  readonly 'files expired': { readonly removed: number; readonly left: number };
  readonly 'file not removed': { readonly file: string };

  readonly 'budget nearly used': { readonly account: string; readonly month: string };
  readonly 'orphans released': { readonly released: number };
  readonly 'reservation not released': { readonly account: string; readonly reservation: string };

  readonly 'webhook delivered': OfDelivery & { readonly delaySeconds: number };
  readonly 'webhook try failed': OfDelivery & {
    readonly statusCode: number | undefined;
    readonly reason: string | undefined;
    readonly durationMs: number;
  };
  readonly 'webhook given up': OfDelivery;
  readonly 'webhook endpoint disabled': OfEndpoint & { readonly reason: string };
  readonly 'webhook message put off': { readonly kind: 'event' | 'delivery' };
  readonly 'webhook try broken off': OfDelivery;
  readonly 'webhook health not noted': OfEndpoint;
  readonly 'stale delivery dropped': Pick<OfDelivery, 'deliveryId' | 'endpointId'>;
  readonly 'delivery not queued': Pick<OfDelivery, 'deliveryId'>;
  readonly 'deliveries swept': { readonly requeued: number; readonly left: number };
  readonly 'delivery not swept': Pick<OfDelivery, 'deliveryId' | 'endpointId'>;

  readonly 'image made': OfImage & { readonly totalTokens: number };
  readonly 'image blocked': OfImage;
  readonly 'image failed': OfImage & { readonly code: string };
  readonly 'image charge not recorded': Omit<
    ImageChargeRecord,
    'tokens' | 'amount' | 'unitPrice' | 'currency'
  > & {
    readonly totalTokens: number;
    /** As in the record, where the image has a price. */
    readonly amount: string | undefined;
    readonly currency: string | undefined;
  };

  readonly 'upstream answered': OfCall;
  readonly 'upstream call failed': OfCall & OfFault;
  readonly 'upstream needs the operator': Omit<OfFault, 'fault'>;
  readonly 'upstream quota used up': Omit<OfFault, 'fault'>;
};

export type LogEvent = keyof LogEvents;
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
