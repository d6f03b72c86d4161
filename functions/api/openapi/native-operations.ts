import { ANSWER_EXAMPLES } from './answer-examples.ts';
import { answer, jsonContent, type Operation } from './operation.ts';

export const NATIVE_OPERATIONS: readonly Operation[] = [
  {
    dialect: 'native',
    tag: 'Models',
    method: 'get',
    path: '/v1beta/models',
    id: 'listNativeModels',
    summary: 'List the models, native format',
    parameters: ['PageSize', 'PageToken'],
    answers: {
      200: answer('A page of the models.', jsonContent('NativeModelList', ANSWER_EXAMPLES.nativeModels)),
    },
  },
  {
    dialect: 'native',
    tag: 'Models',
    method: 'get',
    path: '/v1beta/models/{model}',
    id: 'getNativeModel',
    summary: 'Describe a model, native format',
    parameters: ['Model'],
    answers: { 200: answer('The model.', jsonContent('NativeModel', ANSWER_EXAMPLES.nativeModel)) },
    errors: ['model_not_found'],
  },
];
