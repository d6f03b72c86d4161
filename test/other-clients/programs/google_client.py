import base64, io, os
from google import genai

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)

options = {"base_url": os.environ["BASE_URL"]}
client = genai.Client(api_key=os.environ["API_KEY"], http_options=options)
answer = client.models.generate_content(model="gemini-3.1-flash-image", contents="A fox in the snow")
assert any(part.inline_data for part in answer.candidates[0].content.parts)

file = client.files.upload(file=io.BytesIO(PNG), config={"mime_type": "image/png", "display_name": "first"})
assert (file.state.name, file.size_bytes) == ("ACTIVE", len(PNG)), file
answer = client.models.generate_content(model="gemini-3.1-flash-image", contents=[file, "Make it blue"])
assert any(part.inline_data for part in answer.candidates[0].content.parts)
assert file.name in [listed.name for listed in client.files.list()]
client.files.delete(name=file.name)
try:
    client.files.upload(file=io.BytesIO(bytes(9_000_000)), config={"mime_type": "image/png"})
    raise AssertionError("9 MB were accepted")
except genai.errors.ClientError as error:
    assert error.code == 413, error
