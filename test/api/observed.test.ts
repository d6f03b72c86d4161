/**
 * These tests list tables, read logs, count calls or keep all workers busy, so no other test file uses their service.
 * They share it and run one after another: those that expect empty tables first, those that occupy the workers last.
 * Static imports would be evaluated side by side, in no fixed order.
 */
await import('./observed/malformed-corpus.ts');
await import('./observed/malformed-forms.ts');
await import('./observed/create-refusals.ts');
await import('./observed/aws-calls.ts');
await import('./observed/limits.ts');
await import('./observed/people.ts');
await import('./observed/costs.ts');
await import('./observed/image-charges.ts');
await import('./observed/webhook-delivery.ts');
await import('./observed/hostile-webhooks.ts');
await import('./observed/overload.ts');
await import('./observed/fairness.ts');

export {};
