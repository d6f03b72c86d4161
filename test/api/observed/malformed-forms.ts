import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApiDocument } from '../../../functions/openapi/document.ts';
import { call, readError } from '../../support/http.ts';
import { longOr } from '../../support/long-tests.ts';
import { FORM_TYPE, malformedForms } from '../../support/malformed-forms.ts';
import { until } from '../../support/until.ts';
import { service } from './service.ts';

/** A unit test reads 1,000 of them. */
const FORMS = longOr(7, 200);
const ENDPOINTS = {
  '/v1/videos': 'CreateVideo',
  '/v1/files': 'CreateFile',
  '/v1/images/edits': 'EditImages',
};

test('every endpoint that takes forms is tried', () => {
  const taking = Object.entries(openApiDocument().paths).filter(([, operations]) =>
    JSON.stringify(operations).includes('"multipart/form-data"'),
  );
  assert.deepEqual(taking.map(([path]) => path).toSorted(), Object.keys(ENDPOINTS).toSorted());
});

describe('malformed forms', { concurrency: true }, () => {
  for (const [path, name] of Object.entries(ENDPOINTS))
    test(`${FORMS} for ${path} are each refused with a reason, and none ends the function`, async () => {
      const nextForm = malformedForms(20_261_117);
      const functionId = service.cloud.functionId(name);
      const records = () => service.cloud.invocations().filter((record) => record.functionId === functionId);
      const headers = { 'content-type': FORM_TYPE };
      const recordsBefore = records().length;
      for (let count = 0; count < FORMS; count += 1) {
        const body = nextForm();
        const answer = await call(service, 'POST', path, { headers, body: new Uint8Array(body) });
        assert.equal(answer.status, 400, `${answer.status} for ${body}`);
        assert.ok(readError(answer).message.length > 10, body.toString());
      }
      // A streamed response ends before its function returns.
      await until(() => records().length >= recordsBefore + FORMS);
      const outcomes = records().slice(recordsBefore);
      assert.deepEqual([...new Set(outcomes.map(({ outcome }) => outcome))], ['ok']);
    });
});
