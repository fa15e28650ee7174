UPDATE signin_sessions SET seen_at = $1 WHERE hash = $2
