export type EmulatorOptions = {
  readonly dataDir: string;
  readonly region: string;
  readonly accountId: string;
  readonly masterSecret: string;
  /** Secret strings by secret id or ARN. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Buckets that a principal may not list, by principal; all others may. */
  readonly unlistedBuckets?: Readonly<Record<string, readonly string[]>>;
  readonly port?: number;
};

/** Where the emulated resources live: what an ARN needs to know. */
export type Home = { readonly region: string; readonly accountId: string };
