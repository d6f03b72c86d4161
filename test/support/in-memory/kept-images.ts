import type { ImageChargeRecord } from '../../../functions/billing/domain/charges.ts';
import type { ReservedMoney } from '../../../functions/billing/domain/ports.ts';
import { fileKey } from '../../../functions/files/domain/file-keys.ts';
import type { StoredFile } from '../../../functions/files/domain/files.ts';
import type { ImageCharges, ImageClaim, KeptImage } from '../../../functions/images/domain/kept-image.ts';
import type { ImageKeeping } from '../../../functions/images/usecases/generate-image.ts';
import { type Call, callAtOnce } from './call.ts';

/** The files of generated images, their bytes, and the requests with an `Idempotency-Key`. */
export class MemoryKeptImages {
  readonly files = new Map<string, StoredFile>();
  readonly objects = new Map<string, Uint8Array>();
  readonly claims = new Map<string, ImageClaim>();
  /** The files of the images that clients have got; undefined if the response named none. */
  readonly answered: (string | undefined)[] = [];

  readonly keep = ({ file, result }: KeptImage): void => {
    this.files.set(file.id, file);
    if (result !== undefined) this.save(result.claim, [[result.index, result.value]]);
  };

  readonly add = (claim: ImageClaim, now: number): ImageClaim | undefined => {
    const held = this.claims.get(claim.id);
    if (held !== undefined && held.expiresAt > now)
      return held.requestId === claim.requestId && held.at === claim.at ? undefined : held;
    this.claims.set(claim.id, claim);
    return undefined;
  };

  readonly save = ({ id }: ImageClaim, results: Iterable<readonly [number, KeptResult]>): void => {
    const held = this.claims.get(id);
    if (held === undefined) throw new Error('there is no such claim');
    this.claims.set(id, { ...held, results: new Map([...held.results, ...results]) });
  };

  readonly change = (claim: ImageClaim, changes: Partial<Pick<ImageClaim, 'at' | 'expiresAt'>>): boolean => {
    const held = this.claims.get(claim.id);
    if (held?.requestId !== claim.requestId || held.at !== claim.at) return false;
    this.claims.set(claim.id, { ...held, ...changes });
    return true;
  };
}

type KeptResult = NonNullable<KeptImage['result']>['value'];

export const keepingPort = (
  kept: MemoryKeptImages,
  call: Call = callAtOnce,
  retentionMs = 7 * 24 * 3_600_000,
): ImageKeeping => ({
  retentionMs,
  store: {
    put: (file, bytes) =>
      call('files.put', () => void kept.objects.set(fileKey(file.account, file.id), bytes)),
  },
  files: {
    openFile: ({ account, id }) =>
      call('files.open', () => {
        const file = [...kept.files.values()].find((each) => each.account === account && each.id === id);
        const bytes = kept.objects.get(fileKey(account, id));
        return file === undefined || bytes === undefined
          ? undefined
          : { bytes: bytes.length, expiresAt: file.expiresAt, read: async () => bytes, close: () => {} };
      }),
  },
  claims: {
    add: (claim, now) => call('claims.add', () => kept.add(claim, now)),
    renew: (held, at) => call('claims.renew', () => kept.change(held, { at }), false),
    saveFailures: (claim, failures) => call('claims.saveFailures', () => kept.save(claim, failures)),
    leave: (claim) => call('claims.leave', () => void kept.change(claim, { at: 0 })),
    release: (claim) =>
      call('claims.release', () => {
        const hasResults = (kept.claims.get(claim.id)?.results.size ?? 0) > 0;
        kept.change(claim, hasResults ? { at: 0 } : { at: 0, expiresAt: 0 });
      }),
  },
});

type Charges = {
  readonly all: () => readonly { readonly id: string }[];
  readonly record: (charge: ImageChargeRecord, reservation?: ReservedMoney) => void;
};

/** One transaction, as in DynamoDB: it writes nothing if the charge exists. */
export const imageChargesPort = (charges: Charges, kept: MemoryKeptImages, call: Call): ImageCharges => ({
  record: (charge, reservation, image) =>
    call('charges.record', () => {
      if (charges.all().some(({ id }) => id === charge.id)) return;
      charges.record(charge, reservation);
      if (image !== undefined) kept.keep(image);
    }),
});
