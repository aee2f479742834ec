/** A turning ring beside a word; it is never the only sign of waiting. */
export const Spinner = () => (
  <svg aria-hidden="true" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="2" className="size-4 animate-spin">
    <circle cx="8" cy="8" r="6" opacity="0.3" />
    <path d="M14 8a6 6 0 0 0-6-6" strokeLinecap="round" />
  </svg>
)
