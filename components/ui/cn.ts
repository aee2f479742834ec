import { clsx } from 'clsx'

/** Joins class names. A `className` given to a primitive adds place and size; what it looks like is chosen by its variants, never overridden. */
export const cn = clsx
