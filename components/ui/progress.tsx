/** `value` is between 0 and 1, or null if the progress is unknown. */
export const Progress = ({ value, label }: { value: number | null; label: string }) => (
  <progress
    aria-label={label}
    max={1}
    value={value ?? undefined}
    className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
  />
)
