import { cn } from './cn'

/** A grey shape where something will stand, in that thing's size. Shows itself after 150 ms only. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cn('skeleton block rounded-sm', className)} />
)
