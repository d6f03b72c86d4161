export const BrandMark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true" class="brand-mark">
    <rect width="32" height="32" rx="8" />
    <path d="M12 9.6v12.8c0 .8.9 1.3 1.6.9l10.2-6.4c.6-.4.6-1.4 0-1.8L13.6 8.7c-.7-.4-1.6.1-1.6.9Z" />
  </svg>
);
