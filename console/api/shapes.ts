/** What the endpoints answer, as far as the pages read it. Times are Unix seconds. */

export const TASK_STATUSES = ['queued', 'in_progress', 'completed', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export type Charge = { readonly amount: string | null; readonly currency: string | null };

export type VideoSettings = {
  readonly mode?: string;
  readonly seconds?: number;
  readonly resolution?: string;
  readonly aspect_ratio?: string;
  readonly negative_prompt?: string | null;
  readonly seed?: number | null;
};

export type Timeline = {
  readonly created_at: number;
  readonly submitted_at: number | null;
  readonly generated_at: number | null;
  readonly completed_at: number | null;
  readonly failed_at: number | null;
};

export type Video = {
  readonly id: string;
  readonly model: string;
  readonly status: TaskStatus;
  readonly progress: number;
  readonly created_at: number;
  readonly completed_at?: number;
  readonly expires_at: number | null;
  readonly prompt: string;
  readonly seconds: string;
  readonly size: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Only where they were asked for with `include[]`. */
  readonly request?: VideoSettings;
  readonly charge?: Charge | null;
  readonly timeline?: Timeline;
};

export type Page<Item> = {
  readonly data: readonly Item[];
  readonly last_id: string | null;
  readonly has_more: boolean;
};

export type Prices = {
  readonly currency: string;
  readonly video_second: Readonly<Record<string, string>>;
  readonly image: Readonly<Record<string, string>>;
};

export type Session = {
  readonly id: string;
  readonly project_id: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly base_url: string;
  readonly prices: Prices;
  readonly video_retention_days: number;
  readonly sample_generator: boolean;
  readonly limits: { readonly monthly_budget: string | null };
};

export type SessionEntry = Pick<Session, 'id' | 'created_at' | 'expires_at'> & { readonly current?: boolean };

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly redacted_value: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  /** What may be spent with it in a UTC month, as a decimal. */
  readonly budget: string | null;
  readonly value?: string;
};

/** What costs can be summed by. */
export type Grouping = 'line_item' | 'api_key_id';

export type CostResult = {
  readonly amount: { readonly value: number; readonly currency: string; readonly decimal?: string };
  readonly line_item: string | null;
  readonly api_key_id: string | null;
  readonly quantity: number | null;
};

export type VideoUseResult = {
  readonly seconds: number;
  readonly num_model_requests: number;
  readonly model: string | null;
  readonly api_key_id: string | null;
};

export type ImageUseResult = Omit<VideoUseResult, 'seconds'> & { readonly images: number };

/** What may be spent in a UTC month, and what of it is spent or reserved. */
export type SpendLimit = {
  readonly currency: string;
  readonly budget: string;
  readonly used: string;
  readonly resets_at: number;
};

export type ChargeEntry = {
  readonly id: string;
  readonly kind: 'video' | 'image';
  readonly created_at: number;
  readonly api_key_id: string;
  readonly task_id: string | null;
  readonly model: string;
  readonly size: string;
  readonly quantity: number;
  readonly amount: CostResult['amount'] | null;
};

export type ChargePage = {
  readonly data: readonly ChargeEntry[];
  readonly has_more: boolean;
  readonly next_page: string | null;
};

export type Bucket<Result> = {
  readonly start_time: number;
  readonly end_time: number;
  readonly results: readonly Result[];
};

export type BucketPage<Result> = {
  readonly data: readonly Bucket<Result>[];
  readonly has_more: boolean;
  readonly next_page: string | null;
};
