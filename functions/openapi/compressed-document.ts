import { brotliCompressSync, constants } from 'node:zlib';
import type { Feature } from '../platform/domain/features.ts';
import { ENDPOINTS } from './api/endpoints.ts';
import { openApiDocument } from './document.ts';

/**
 * The bundler evaluates this file and ships the result, so that the function neither builds the document nor contains
 * the schemas. Compressed, because the text is half a megabyte.
 */
export const COMPRESSED_DOCUMENT = brotliCompressSync(JSON.stringify(openApiDocument()), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
}).toString('base64');

/** The operations that a deployment leaves out together with their feature. */
export const OPERATION_FEATURES: Readonly<Record<string, Feature>> = Object.fromEntries(
  Object.entries(ENDPOINTS).flatMap(([id, { feature }]) => (feature === undefined ? [] : [[id, feature]])),
);
