/**
 * These tests list tables, read logs, count calls or keep all workers busy, so no other test file uses their service.
 * They share it and run one after another: those that expect empty tables first, those that occupy the workers last.
 */
import './observed/malformed-corpus.ts';
import './observed/malformed-forms.ts';
import './observed/create-refusals.ts';
import './observed/aws-calls.ts';
import './observed/limits.ts';
import './observed/costs.ts';
import './observed/image-charges.ts';
import './observed/webhook-delivery.ts';
import './observed/hostile-webhooks.ts';
import './observed/overload.ts';
import './observed/fairness.ts';
