DELETE FROM signin_sessions WHERE hash = $1
