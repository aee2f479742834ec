/** The sign of Paydesk: the two bars of a hold, one of them lifted. */
export const Mark = ({ className }: { className?: string }) => (
  <svg aria-hidden="true" viewBox="0 0 24 24" className={className}>
    <rect x="2" y="2" width="20" height="20" rx="5" fill="var(--text)" />
    <path d="M9 7v10M15 7v4.5" stroke="var(--bg)" strokeWidth="2.75" strokeLinecap="round" />
    <circle cx="15" cy="16.6" r="1.4" fill="var(--bg)" />
  </svg>
)
