-- What every algorithm begins with. Times are whole microseconds of the server's clock, and every
-- number stays below 2^53, where Lua's are exact.
--
-- KEYS[1]  the one key that holds the state, which says by a letter what algorithm counted it
-- ARGV[1]  'take'; 'refund' of permits that were taken at a time; or 'restore' of those taken last
-- ARGV[2]  permits; 0 asks whether one is there
-- ARGV[3]  what a live key keeps when its limit has changed
-- ARGV[4]  for a refund: the stamp with which the permits were taken
-- ARGV[5]  the limit; what follows is the algorithm's own
--
-- Answers {allowed, remaining, wait, reset, stamp, whether there was a state}.
local key = KEYS[1]
local restore = ARGV[1] == 'restore'
local refund = restore or ARGV[1] == 'refund'
local cost = tonumber(ARGV[2])
local need = math.max(cost, 1)
local inheritance = ARGV[3]
local stamp = tonumber(ARGV[4])
local limit = tonumber(ARGV[5])

-- The permits left under this limit, of those left under another.
local function inherited(left, old)
  if inheritance == 'RESET' then
    return limit
  elseif inheritance == 'PROPORTIONAL' then
    return math.min(limit, math.floor(left * limit / old))
  elseif inheritance == 'ADDITIVE' then
    return math.min(limit, left + math.max(0, limit - old))
  end
  return math.min(limit, left)
end

-- The quotient rounded up, whatever the rounding of the division.
local function ceil_div(a, b)
  local q = math.floor(a / b)
  if q * b < a then
    return q + 1
  elseif (q - 1) * b >= a then
    return q - 1
  end
  return q
end

-- Numbers as text: tostring would round them to 14 digits.
local function text(...)
  local parts = {}
  for i, number in ipairs({...}) do
    parts[i] = string.format('%.0f', number)
  end
  return table.concat(parts, ':')
end

local function numbers(state)
  local parts = {}
  for number in string.gmatch(state or '', '%d+') do
    parts[#parts + 1] = tonumber(number)
  end
  return parts
end

-- Whether a state of this key was there, and whether its limit is another from now on.
local existed, changed = false, false

-- The numbers of a state of this algorithm. If another one counted the key until now: none, then the
-- permits that it leaves and of how many; and its state is gone.
local function read(letter, now)
  local state
  if letter == 'l' then
    state = redis.pcall('LINDEX', key, 0)
  else
    state = redis.pcall('GET', key)
  end
  if type(state) == 'table' then -- an error: it is of the other type
    state = letter == 'l' and redis.call('GET', key) or redis.call('LINDEX', key, 0)
  end
  if not state then
    return {}
  end
  existed = true
  local s = numbers(state)
  local by = string.sub(state, 1, 1)
  if by == letter then
    return s
  end
  changed = true
  local left
  if by == 'f' then -- limit, size, rate, debt, last
    local debt = math.max(0, s[4] - math.max(0, now - s[5]) * s[3])
    left = math.floor((s[1] * s[2] - debt) / s[2])
  elseif by == 'w' then -- limit, window, start, used
    left = now < s[3] + s[2] and s[1] - s[4] or s[1]
  elseif by == 'c' then -- limit, window, previous, current, last
    now = math.max(now, s[5])
    local ago = math.floor(now / s[2]) - math.floor(s[5] / s[2])
    local previous = ago == 0 and s[3] or ago == 1 and s[4] or 0
    local current = ago == 0 and s[4] or 0
    left = math.max(0, s[1] - current - ceil_div(previous * (s[2] - now % s[2]), s[2]))
  elseif by == 'l' then -- limit, window, used, last; then the entries
    local used = s[3]
    for _, entry in ipairs(redis.call('LRANGE', key, 1, 1000)) do
      local e = numbers(entry)
      if e[1] > now - s[2] then
        break
      end
      used = used - e[2]
    end
    left = math.max(0, s[1] - used)
  else
    error(key .. ' holds no state of a limit')
  end
  redis.call('DEL', key)
  return {}, left, s[1]
end

-- How long a state is worth keeping, in ms: until everything is back and a second more.
local function ttl(reset)
  return string.format('%.0f', ceil_div(math.max(0, reset), 1000) + 1000)
end

-- Writes a state as text. A refund leaves the time to live as it is, which is long enough.
local function write(letter, reset, ...)
  local state = letter .. ':' .. text(...)
  if refund and not changed then
    redis.call('SET', key, state, 'KEEPTTL')
  else
    redis.call('SET', key, state, 'PX', ttl(reset))
  end
end
