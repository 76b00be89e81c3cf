-- Messages through two named pipes: four bytes of length, then the content.
local ffi = ...

ffi.cdef([[
int open(const char *path, int flags);
long read(int file, void *buffer, size_t size);
long write(int file, const void *buffer, size_t size);
]])
local READ, WRITE = 0, 1

local pipe = {}

function pipe.open(folder)
	-- The order is that of the other side: each opening waits for its counterpart.
	pipe.questions = ffi.C.open(folder .. "/questions", READ)
	pipe.answers = ffi.C.open(folder .. "/answers", WRITE)
	assert(pipe.questions >= 0 and pipe.answers >= 0, "there are no pipes in " .. folder)
end

local length = ffi.new("uint32_t[1]")
local content = ffi.new("uint8_t[?]", 64)
local capacity = 64

local function exactly(buffer, size)
	local filled = 0
	while filled < size do
		local count = tonumber(ffi.C.read(pipe.questions, buffer + filled, size - filled))
		if count <= 0 then
			return false
		end
		filled = filled + count
	end
	return true
end

-- The next message as bytes and their number; nil once the other side is gone.
function pipe.read()
	if not exactly(ffi.cast("uint8_t *", length), 4) then
		return nil
	end
	local size = tonumber(length[0])
	if size > capacity then
		content, capacity = ffi.new("uint8_t[?]", size), size
	end
	return exactly(content, size) and content or nil, size
end

local function all_of(buffer, size)
	local sent = 0
	while sent < size do
		local count = tonumber(ffi.C.write(pipe.answers, buffer + sent, size - sent))
		assert(count > 0, "the trainer is gone")
		sent = sent + count
	end
end

function pipe.write(buffer, size)
	length[0] = size
	all_of(ffi.cast("uint8_t *", length), 4)
	all_of(ffi.cast("uint8_t *", buffer), size)
end

return pipe
