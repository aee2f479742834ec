import { cn } from './cn'

/** A hairline between groups; decoration. */
export const Separator = ({ className }: { className?: string }) => <div aria-hidden="true" className={cn('h-px bg-line', className)} />
