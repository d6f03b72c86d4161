type TaskFields = { readonly taskId: string };
type StepFields = TaskFields & { readonly step: number };
type ModelFields = { readonly account: string; readonly model: string };
type EndpointFields = { readonly endpointId: string; readonly account: string };
type DeliveryFields = EndpointFields & {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly attempts: number;
};
type ShareFields = { readonly owner: string; readonly id: string };
type RequestFields = { readonly requestId: string };
type ImageFields = RequestFields & ModelFields;
type ImageChargeFields = ModelFields & {
  readonly kind: 'image';
  readonly id: string;
  readonly keyId: string;
  readonly personId: string | undefined;
  readonly size: string;
  readonly images: number;
  readonly time: number;
  readonly totalTokens: number;
  /** As in the charge record, if the image has a price. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
};
type FaultFields = { readonly fault: string; readonly httpStatus: number | undefined };
type UpstreamFields = { readonly upstream?: string | undefined };
type CallFields = { readonly call: string; readonly milliseconds: number };
type MonthFields = { readonly account: string; readonly month: string };
/** In percent. */
type ThresholdFields = MonthFields & { readonly threshold: number };
type RefusalFields = Omit<FaultFields, 'fault'> & UpstreamFields;
type SweepFields = { readonly requeued: number; readonly left: number };

/** Every log event with its fields: never a prompt, a key, an image or a signed URL. */
export type LogEvents = {
  readonly request: RequestFields & {
    readonly route: string;
    readonly status: number;
    readonly milliseconds: number;
    readonly serverError: boolean;
    readonly account?: string;
    readonly code?: string;
    /** Of a call through the Model Context Protocol. */
    readonly tool?: string;
    /** An alias that the request used, with its model: `alias=model`. */
    readonly alias?: string;
  };
  readonly 'request failed': Partial<RequestFields>;
  readonly audit: {
    readonly entry: string;
    readonly account: string;
    readonly at: string;
    readonly type: string;
    readonly actorKind: string;
    readonly actor: string;
    readonly person: string | undefined;
    readonly email: string | undefined;
    readonly ip: string | undefined;
    readonly userAgent: string | undefined;
    readonly resource: string;
    readonly details: string;
  };
  /** A sign-in that was refused or not completed. */
  readonly 'sign-in refused': { readonly reason: string; readonly person: string | undefined };
  readonly 'provider failed': { readonly failure: string };
  readonly 'stream failed': RequestFields;
  /** AWS denied a call of the function, such as `S3 GetObject`. */
  readonly 'access denied': { readonly awsCall: string };
  /** The probe of the public address failed. */
  readonly 'address not reached': { readonly address: string };
  readonly 'stream ends with an error': RequestFields & { readonly code: string };

  readonly 'task created': TaskFields & ModelFields & { readonly mode: string };
  readonly 'task submitted': TaskFields & {
    readonly account: string;
    readonly upstream: string;
    readonly queueSeconds: number;
  };
  readonly 'task waits in line': TaskFields & ModelFields;
  readonly 'line served': { readonly model: string; readonly served: number; readonly left: boolean };
  readonly 'line not served': Partial<TaskFields> & { readonly model?: string };
  readonly 'task completed': TaskFields &
    ModelFields & {
      readonly seconds: number;
      readonly bytes: number;
      readonly generationSeconds: number;
      /** Since the upstream reported the video as finished. */
      readonly completionSeconds: number;
    };
  readonly 'video differs from request': TaskFields & {
    readonly upstream: string;
    readonly requestedSize: string;
    readonly deliveredSize: string | undefined;
    readonly requestedSeconds: number;
    readonly deliveredSeconds: number | undefined;
  };
  readonly 'task failed': TaskFields & ModelFields & { readonly code: string };

  readonly 'submit failed': TaskFields & FaultFields & UpstreamFields;
  readonly 'submit not saved': TaskFields & { readonly tries: number };
  readonly 'input missing': TaskFields;
  readonly 'check failed': TaskFields & FaultFields;
  readonly 'fetch failed': TaskFields & { readonly attempt: number; readonly fault: string };
  readonly 'upstream copy not deleted': TaskFields;
  readonly 'upstream operation not cancelled': TaskFields;

  readonly 'share used up': ShareFields;
  readonly 'share not counted': ShareFields;

  readonly 'step already written': StepFields;
  readonly 'stale message dropped': StepFields;
  readonly 'step not queued': StepFields;
  readonly 'message failed': Partial<StepFields & Pick<DeliveryFields, 'deliveryId' | 'eventId'>> & {
    readonly messageId: string;
  };
  readonly 'dead letter': StepFields;
  /** The key of the item, its parts joined by a slash. */
  readonly 'item not readable': { readonly table: string; readonly key: string };
  readonly swept: SweepFields;
  readonly 'task not swept': StepFields;
  readonly 'sweep skipped': { readonly waiting: number };
  readonly 'queue age not recorded': { readonly minute: number };
  readonly 'queue age not read': { readonly minute: number };
  readonly 'worker load not read': Readonly<Record<string, never>>;
  readonly 'leftovers removed': {
    readonly checked: number;
    readonly removed: number;
    readonly isComplete: boolean;
  };
  readonly 'files expired': { readonly removed: number; readonly left: number };
  readonly 'file not removed': { readonly file: string };
  readonly 'image not decoded': { readonly file: string; readonly reason: string };
  readonly 'preview not stored': { readonly file: string };

  readonly 'budget nearly used': MonthFields;
  readonly 'budget not marked': MonthFields;
  readonly 'budget event sent': ThresholdFields;
  readonly 'budget event not sent': ThresholdFields;
  readonly 'orphaned reservations released': { readonly released: number };
  readonly 'reservation not released': { readonly account: string; readonly reservation: string };

  readonly 'webhook delivered': DeliveryFields & { readonly delaySeconds: number };
  readonly 'webhook attempt failed': DeliveryFields & {
    readonly statusCode: number | undefined;
    readonly reason: string | undefined;
    readonly durationMs: number;
  };
  readonly 'webhook given up': DeliveryFields;
  readonly 'webhook endpoint disabled': EndpointFields & { readonly reason: string };
  readonly 'webhook message postponed': { readonly kind: 'event' | 'delivery' };
  readonly 'webhook attempt aborted': DeliveryFields;
  readonly 'webhook health not saved': EndpointFields;
  readonly 'stale delivery dropped': Pick<DeliveryFields, 'deliveryId' | 'endpointId'>;
  readonly 'delivery not queued': Pick<DeliveryFields, 'deliveryId'>;
  readonly 'deliveries swept': SweepFields;
  readonly 'delivery not swept': Pick<DeliveryFields, 'deliveryId' | 'endpointId'>;

  readonly 'image made': ImageFields & { readonly totalTokens: number };
  readonly 'image blocked': ImageFields;
  readonly 'image failed': ImageFields & { readonly code: string };
  readonly 'image not converted': ImageFields & { readonly format: string };
  readonly 'image claim not ended': RequestFields & { readonly account: string };
  readonly 'image charge not recorded': ImageChargeFields;

  readonly 'upstream pauses': {
    readonly upstream: string;
    readonly model: string;
    readonly reason: string;
    readonly seconds: number;
  };
  readonly 'upstream state not saved': { readonly upstream: string };
  readonly 'upstream answered': CallFields & UpstreamFields;
  readonly 'upstream call failed': CallFields & FaultFields & UpstreamFields;
  readonly 'upstream needs the operator': RefusalFields;
  readonly 'upstreams checked': { readonly models: number; readonly problems: number };
  readonly 'upstream model retired': RefusalFields & {
    readonly model: string | undefined;
    /** The upstream's name of the model that it recommends. */
    readonly replacement: string | undefined;
  };
  readonly 'upstream quota used up': RefusalFields;
};

export type LogEvent = keyof LogEvents;
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export type Clock = () => number;

/** Writes log events, some of which are metrics too. */
export type Logger = {
  info<Event extends LogEvent>(event: Event, fields: LogEvents[Event]): void;
  /** For events that need an operator's attention. */
  error<Event extends LogEvent>(event: Event, error: unknown, fields: LogEvents[Event]): void;
};
