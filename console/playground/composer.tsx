import { useEffect, useState } from 'preact/hooks';
import { onUploadProgress, uploadPercent } from '../api/uploads.ts';

export const useUploadPercent = (): number | undefined => {
  const [percent, setPercent] = useState(uploadPercent);
  useEffect(() => {
    const update = (): void => setPercent(uploadPercent());
    // Uploads may have progressed since the first render.
    update();
    return onUploadProgress(update);
  }, []);
  return percent;
};
