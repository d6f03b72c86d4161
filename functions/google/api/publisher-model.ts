import type { NativeModel, NativeModelList } from '../../models/api/native-models.ts';

/** A model as Vertex AI describes it. */
export const publisherModel = ({ name, version, displayName, description }: NativeModel) => ({
  name: `publishers/google/${name}`,
  versionId: version,
  displayName,
  description,
  launchStage: 'GA',
});

export const publisherModelList = ({ models, nextPageToken }: NativeModelList) => ({
  publisherModels: models.map(publisherModel),
  ...(nextPageToken === undefined ? {} : { nextPageToken }),
});
