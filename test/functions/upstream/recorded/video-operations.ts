/**
 * Finished video operations of Vertex AI and the Gemini API.
 * - vertexFiltered: github.com/DaWe35/image-router/issues/41
 * - geminiFiltered: the response in github.com/googleapis/js-genai/issues/1272
 * - vertexRefused: the message in github.com/HKUDS/ViMax/issues/20, code 3 as in github.com/pollinations/pollinations/pull/6196
 * - vertexStored, vertexPending: the documentation of Veo on Vertex AI, "Generate videos from text"
 * - vertexInline: the same with `bytesBase64Encoded`, as in github.com/QuantumNous/new-api/issues/2751
 */

export const VERTEX_OPERATION =
  'projects/flash-rock-470314-u1/locations/us-central1/publishers/google/models/veo-3.0-generate-preview/operations/0c335789-eab8-405f-8642-c583e12b1ddf';

const VERTEX_TYPE = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse';
const GEMINI_TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';

const done = <Response>(response: Response) => ({ name: VERTEX_OPERATION, done: true, response });

/** The beginning of an MP4. */
export const INLINE_VIDEO = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0isommp42', 'latin1');

export const RECORDED_OPERATIONS = {
  vertexPending: { name: VERTEX_OPERATION, done: false },
  vertexStored: done({
    raiMediaFilteredCount: 0,
    '@type': VERTEX_TYPE,
    videos: [{ gcsUri: 'gs://bucket/1762941823/sample_0.mp4', mimeType: 'video/mp4' }],
  }),
  vertexInline: done({
    '@type': VERTEX_TYPE,
    raiMediaFilteredCount: 0,
    videos: [{ bytesBase64Encoded: INLINE_VIDEO.toString('base64'), mimeType: 'video/mp4' }],
  }),
  vertexFiltered: done({
    '@type': VERTEX_TYPE,
    raiMediaFilteredCount: 1,
    raiMediaFilteredReasons: [
      'Veo could not generate 1 videos based on the prompt provided. You will not be charged for this request. Try rephrasing the prompt. If you think this was an error, send feedback. Support codes: 42237218',
    ],
  }),
  vertexRefused: {
    name: VERTEX_OPERATION,
    done: true,
    error: {
      code: 3,
      message:
        "The prompt could not be submitted. This prompt contains sensitive words that violate Google's Responsible AI practices. Try rephrasing your prompt, or contact your Google representative to request allowlisting. Support codes: 58061214",
    },
  },
  geminiFiltered: {
    name: 'models/veo-3.1-generate-preview/operations/1a2b3c4d5e6f',
    done: true,
    response: {
      '@type': GEMINI_TYPE,
      generateVideoResponse: {
        raiMediaFilteredCount: 1,
        raiMediaFilteredReasons: [
          'We encountered an issue with the audio for your prompt, which means we could not create your video. This can sometimes happen due to our safety filters or other processing issues. Please modify your request and try again. You have not been charged for this attempt.',
        ],
      },
    },
  },
} as const;
