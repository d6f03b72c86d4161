export type EmulatorOptions = {
  readonly dataDir: string;
  readonly region: string;
  readonly accountId: string;
  readonly masterSecret: string;
  /** Secret strings by secret id or ARN. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly port?: number;
};

/** Where the emulated resources live: what an ARN needs to know. */
export type Home = { readonly region: string; readonly accountId: string };
